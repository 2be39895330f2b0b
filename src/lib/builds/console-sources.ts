import { join } from 'node:path'

/**
 * Lists the sources of the console's built pages besides `web/`: a change of one leads to a new build.
 * @param root the folder of the program
 */
export function otherConsoleSources(root: string): string[] {
  return [
    'package-lock.json',
    'src/core/connections/checklist-texts.ts',
    'src/core/figures/list-days.ts',
    'src/core/figures/periods.ts',
    ...['en', 'fr', 'sw'].map((language) => `src/lib/messages/checklist/${language}.json`),
    ...['en.json', 'fr.json', 'sw.json', 'message.ts', 'translate.ts'].map((name) => `src/lib/messages/${name}`),
    'src/lib/money.ts',
    'src/lib/text/amount-texts.ts',
    'src/lib/text/amount-words.ts',
    'src/lib/text/offset-times.ts',
    'src/lib/text/time-zones.ts',
    'src/lib/typed-amount.ts',
  ].map((path) => join(root, path))
}
