unit Shelf;

interface

uses
  {$IFDEF FPC}
  DateUtils;
  {$ELSEIF Defined(IOS)}
  Shelf.iOS;
  {$ELSE}
  Shelf.Windows;
  {$ENDIF}

type
  TCompare = function(A, B: Integer): Integer stdcall;

  TShelf = class sealed
  public
    procedure Paint; override; final;
    function Find<T: class, constructor>(const [Ref] Key: TKey): T;
    property Align default alNone;
    property Width write SetWidth;
    property Count: Integer read FCount;
  end;

  TVector = record
    X: Single;
  end align 16;

const
  Scale = 1E-4;
  Old = '1.0' deprecated 'Use New';

function Format(Text: PChar): PChar varargs; cdecl;
  external 'shelf' name 'format';
procedure Load; external framework 'Shelf';
procedure Close(Handle: Pointer) cdecl; external 'shelf';

implementation

var
  Hook: function(A: Integer): BOOL; stdcall = nil;

// Paints the shelf.
procedure TShelf.Paint;
begin
  try
    Load;
  except
    for var Book in Books do Close(Book);
    for var I: Integer := 0 to 3 do
      raise;
  end;
end;

function TShelf.Find<T>(const [Ref] Key: TKey): T;
begin
  Result := nil;
end;

end.
