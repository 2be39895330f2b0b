import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Corrections of VitePress's search box. It searches as `search.ts` does. And it tells assistive technology that it is a dialog
 * with a list of links: uncorrected, it is a button around a list of options around links, and screen readers do not offer the links.
 */
const CORRECTIONS: readonly (readonly [from: RegExp, to: string])[] = [
  [
    /import Mark from/,
    `import { searchPages } from ${JSON.stringify(join(import.meta.dirname, 'search.ts'))};\nimport Mark from`,
  ],
  [/index\.search\(filterTextValue\)/, 'searchPages(index, filterTextValue)'],
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"/, ''],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="[^"]*"\s+role="option"/, ''],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  [/<span class="title-icon">/, '<span class="title-icon" aria-hidden="true">'],
]

/** Correct the search box while it is built. A version of VitePress with another search box stops the build. */
export function correctSearchBox(): Plugin {
  return {
    name: 'correct-search-box',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined
      return CORRECTIONS.reduce((text, [from, to]) => {
        if (text.search(from) < 0) this.error(`The search box of VitePress has no ${from}: look at what it has now.`)
        return text.replace(from, to)
      }, code)
    },
  }
}
