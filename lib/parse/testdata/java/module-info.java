/** The ledger as a module. */
@Deprecated
open module com.example.ledger {
  requires transitive java.sql;
  exports com.example.ledger;
}
