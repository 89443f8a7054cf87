// What the page uses of the vendored libraries: their minified code says nothing about types.
export type Node = unknown;
export type Component<Props = any> = (props: Props) => Node;

export function html(strings: TemplateStringsArray, ...values: unknown[]): Node;
/** A text as the squares of a code for cameras. */
export function encode(text: string, options?: { border?: number }): { size: number; data: boolean[][] };
export function render(node: Node, parent: Element): void;

export interface Signal<T> {
  value: T;
  peek(): T;
}
export interface Computed<T> {
  readonly value: T;
  peek(): T;
}
export function signal<T>(value: T): Signal<T>;
export function computed<T>(of: () => T): Computed<T>;
export function effect(run: () => void | (() => void)): () => void;
export function batch(run: () => void): void;

export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(run: () => void | (() => void), of?: unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), of?: unknown[]): void;
export function useMemo<T>(make: () => T, of: unknown[]): T;
export function useRef<T>(first: T | null): { current: T | null };
export function useId(): string;
