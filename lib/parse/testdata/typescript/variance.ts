export interface Reader<out Book, in Page> {
  read(): Book;
}
export function open() {}
