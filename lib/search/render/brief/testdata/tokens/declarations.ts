import type { A } from './a';
import fs = require('fs');
import { B } from "b";

/** The options. */
export interface Options<T = unknown> extends Base {
  name: string;
  run(x: number): void;
  (call: string): void;
}

export type Union =
  | 'a'
  | 'b';
type Shape = { area(): number };

export enum Colour { Red, Green = 'g' }
declare const enum Flag { On = 1 }

// Overloads.
export function over(a: string): string;
export function over(a: number): number;
export function over(a: any): any { return a; }

/** Abstract. */
@Component({ selector: 'x', make() { return 1; } })
export abstract class Service<T> extends Base<T> implements Options<T> {
  private readonly count: number = 0;
  protected static instance?: Service<any>;
  #hidden = 1;
  public handler = (e: Event): void => { };
  constructor(private readonly dep: Dep) { super(); }
  abstract start(): Promise<void>;
  private secret(): void {}
  /** Decorated. */
  @Input() @Other()
  set label(v: string) {}
  get label(): string { return ''; }
  find(id: number): T;
  find(id: string): T;
  find(id: any): T { return id; }
}

@Injectable()
class Plain {}

export namespace Outer.Inner {
  export const value = 1;
  const own = 2;
  export function helper(): void {}
  namespace Deep { export class X {} }
}

declare module 'ambient' {
  export function declared(x: number): void;
  const loose: string;
}
declare global {
  interface Window { custom: string }
  var globalVar: number;
}
declare function external(x: number): string;
export declare const VERSION: string;

export const typed: Record<string, number> = {};
export const fn = <T,>(x: T): T => x;
export default function (x: number) { return x; }
const config = { port: 1, listen() {} } as const;
let maybe: string | undefined;
export = config;
const asserted = ((props) => { return props; }) as Component;
const twice = (() => { }) as unknown as Component;
const satisfied = { handle() {} } satisfies Handler;
(global as any).Observer = class Observer { observe() {} };
