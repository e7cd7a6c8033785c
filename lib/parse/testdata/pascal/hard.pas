unit Hard;

{ The unit. }

interface

uses
  Windows, SysUtils, System.Classes,
  Helper in 'src\Helper.pas';

const
  MaxItems = 10;
  Names: array[0..1] of string = ('a', 'b');

type
  TColor = (clRed, clGreen);
  TName = string[20];
  PNode = ^TNode;
  TProc = procedure(Sender: TObject) of object;
  TSet = set of TColor;

  /// A node.
  TNode = record
    Next: PNode;
    Value: Integer;
  end;

  IShape = interface(IUnknown)
    ['{11111111-2222-3333-4444-555555555555}']
    function Area: Double;
  end;

  // A stack.
  TStack<T> = class(TObject)
  private
    FItems: array of T;
    function GetCount: Integer;
  public
    const Max = 3;
    type TInner = class end;
    constructor Create; overload;
    destructor Destroy; override;
    procedure Push(const Item: T); virtual; abstract;
    class function Make: TStack<T>; static;
    property Font;
    property Count: Integer read GetCount;
    property Items[Index: Integer]: T read GetItem write SetItem; default;
  end;
  TForward = class;
  THelp = class helper for TNode
    procedure Foo;
  end;

resourcestring
  SError = 'Error';

var
  Global: Integer;
  A, B: string = 'x';
threadvar
  T: Integer;

procedure PublicProc(A: Integer);
function PublicFunc: Integer; stdcall; external 'lib.dll';

implementation

uses Hidden;

{ TStack }

constructor TStack<T>.Create;
begin
  inherited Create;
end;

function TStack<T>.GetCount: Integer;
var
  Local: Integer;

  procedure Nested;
  begin
  end;
begin
  Result := 0;
end;

(* Public. *)
procedure PublicProc(A: Integer);
begin
end;

procedure PrivateProc; forward;

class procedure TNode.Foo; begin end;

{$IFDEF X}
procedure Cond;
{$ELSE}
procedure Cond2;
{$ENDIF}
begin
end;

type
  TPair = record A, B: Integer; end;
const
  Pairs: array[0..1] of TPair = (
    (A: 1; B: 2;
    ),
    (A: 3; B: 4)
  );

function TNode.Pack(const X: array of Integer): Integer; assembler;
{$IF Defined(CPUX64) or Defined(Y)}
var
  Source: Integer;
begin
  Source := 1;
end;
{$ELSE}
asm
  PUSH EBX
@@Again:
  JNZ @@Again
end;
{$IFEND}

procedure AfterPack;
begin
end;

initialization
  Global := 1;
finalization
end.
