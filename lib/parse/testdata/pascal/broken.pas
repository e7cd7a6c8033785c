program Broken;

uses SysUtils;

procedure Before;
begin
  WriteLn('x';
end;

{ Survives. }
function After(N: Integer): Integer;
begin
  Result := N + ;
end;

begin
  Before
end.
