/**
 * Print what an attack did, on one line, such as `attack slow-bodies: 0 of 200 requests of other customers refused`.
 * The table of docs/security.md says what each attack is.
 * @param attack the name of the script, without `.test.ts`
 */
export function printFigure(attack: string, figure: string): void {
  process.stdout.write(`attack ${attack}: ${figure}\n`)
}
