import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { isReferenceAnchor } from './reference-anchors.ts'
import './theme.css'

/** VitePress's own theme with the fonts of the reader's system, so that pages load no font. */
export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (import.meta.env.SSR) return
    openReference()
    window.addEventListener('hashchange', openReference)
  },
} satisfies Theme

/** The reference was at `/docs` in versions up to 0.1.0, and its sections are anchors: links to them still lead there. */
function openReference(): void {
  if (/^\/docs\/?$/.test(location.pathname) && isReferenceAnchor(location.hash))
    location.replace(`/docs/reference${location.hash}`)
}
