import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { isReferenceAnchor } from './reference-anchors.ts'
import './theme.css'

/** VitePress's own theme with the fonts of the reader's system, so that pages load no font. */
export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return
    // The search leads to the reference, which is not a page of the site.
    router.onBeforeRouteChange = (href) => {
      if (!href.startsWith('/docs/reference')) return true
      location.assign(href)
      return false
    }
    openReference()
    window.addEventListener('hashchange', openReference)
  },
} satisfies Theme

/** Links to anchors of the reference at `/docs`, as the interface's own pages have them, lead to the reference. */
function openReference(): void {
  if (/^\/docs\/?$/.test(location.pathname) && isReferenceAnchor(location.hash))
    location.replace(`/docs/reference${location.hash}`)
}
