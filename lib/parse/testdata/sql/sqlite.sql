-- Finds books.
CREATE VIRTUAL TABLE book_search USING fts5(title, content=books, tokenize="unicode61");
INSERT INTO book_search(book_search) VALUES('rebuild');

create trigger book_deleted after delete on books begin
  insert into book_search(book_search) values ('delete');
end;

CREATE TABLE shelf (id INTEGER, PRIMARY KEY(id AUTOINCREMENT));
