import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/charts/styles.css'
import '@mantine/notifications/styles.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './queries.ts'
import { reload } from './reload.ts'
import { router } from './router.tsx'
import { readableColors, theme } from './theme.ts'

declare global {
  interface Window {
    __webpack_nonce__?: string
  }
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
// The library that keeps the page still under a dialog looks for the nonce here.
window.__webpack_nonce__ = nonce

window.addEventListener('vite:preloadError', reloadAfterUpdate)

/**
 * A page that was opened before an update asks for parts that are gone, and is loaded anew. Where the service is away, or
 * that did not help a moment ago, the page says so itself (router.tsx).
 */
async function reloadAfterUpdate(): Promise<void> {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 60_000) return
  if (await reload()) sessionStorage.setItem('reloaded', String(Date.now()))
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="top-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
