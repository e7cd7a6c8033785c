C     A fixed-form file.
*> \brief Adds two vectors.
*
      SUBROUTINE ADDVEC( N, X,
     $                   Y, Z )
*     .. Scalar Arguments ..
      INTEGER            N
      REAL               X( * ), Y( * ),
* a comment between
     $                   Z( * )
      DO 10 I = 1, N
         Z( I ) = X( I ) + ! trailing
     &            Y( I )
   10 CONTINUE
      PRINT *, 'C is not
     +a comment'
      RETURN
      END

      DOUBLE PRECISION FUNCTION DOT( N, X )
      DOT = 0
      END
      PROGRAM MAIN
      CALL ADDVEC
      END
