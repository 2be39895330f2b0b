/** A program with its arguments, as a shell line calls it. */
export interface ShellCommand {
  /** Variables before the program, and those that `export` sets. */
  variables: string[]
  program: string | undefined
  args: string[]
}

/** The lines of a shell block: continued lines are one, comments are left out. */
export function linesOf(block: string): string[] {
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** The line with values for what a reader fills in: `<id>`, `…` and `$URL`. */
export function fillIn(line: string, values: { url: string; key: string; id: number }): string {
  return line
    .replaceAll(/https:\/\/pay\.example\.com|http:\/\/127\.0\.0\.1:3000|\$URL\b|(?<=["'])…(?=\/api)/g, values.url)
    .replaceAll(/(?<=\s)localhost:3000/g, values.url)
    .replaceAll(/<API key>|\$KEY\b|ksy_…|(?<=Token )…/g, values.key)
    .replaceAll(/<(id|account)>/g, String(values.id))
    .replaceAll(/\b[0-9a-f]{6}…/g, '0'.repeat(64))
    .replaceAll(/<[a-z][^>]*>/gi, 'value')
}

/** The commands of a line, in the order in which they stand there. Quotes hold words together; `&&`, `;` and `|` separate commands. */
export function commandsOf(line: string): ShellCommand[] {
  const commands: string[][] = [[]]
  for (const [token] of line.matchAll(/&&|\|\||[;|&()]|(?:"[^"]*"|'[^']*'|\$\([^)]*\)|[^\s;|&()"'])+/g))
    if (/^(&&|\|\||[;|&()])$/.test(token)) commands.push([])
    else commands.at(-1)!.push(token)
  return commands.filter((words) => words.length > 0).map(toCommand)
}

const VARIABLE = /^([A-Z][A-Z0-9_]*)=/

function toCommand(words: string[]): ShellCommand {
  const before = words.findIndex((word) => !VARIABLE.test(word))
  const [program, ...rest] = before === -1 ? [] : words.slice(before)
  const exported = program === 'export' ? rest : []
  const variables = [...words.slice(0, before === -1 ? words.length : before), ...exported].map(
    (word) => VARIABLE.exec(word)![1]!,
  )
  const redirection = rest.findIndex((word) => /^[<>]/.test(word))
  const args = (redirection === -1 ? rest : rest.slice(0, redirection)).map(withoutQuotes)
  return { variables, program, args }
}

function withoutQuotes(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single)
}
