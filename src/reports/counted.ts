// Numbers and counts in the words of problems.

/** 12,345 */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 lead`, `2 leads` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
