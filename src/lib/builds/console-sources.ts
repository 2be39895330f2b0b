import { join } from 'node:path'

/**
 * Lists the sources of the console's built pages besides `web/`: a change of one leads to a new build.
 * @param root the folder of the program
 */
export function otherConsoleSources(root: string): string[] {
  return [
    'package-lock.json',
    'src/core/connections/checklist-texts.ts',
    ...['en.json', 'fr.json', 'sw.json', 'message.ts', 'translate.ts'].map((name) => `src/lib/messages/${name}`),
    'src/lib/money.ts',
    'src/lib/text/offset-times.ts',
  ].map((path) => join(root, path))
}
