import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Parts of a page that can take the focus of a control that has gone. */
const PARTS = 'section, [role=region], [role=group], li, main'
/** Time in which a closed dialog gives the focus back, and a list draws its rows again. */
const SETTLE_MS = 50

/** Keep the keyboard focus in the content: at its start on a new page, and nearby when the focused control goes. */
export function usePageFocus(): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const shown = useRef(pathname)
  useEffect(() => {
    const moved = shown.current !== undefined && shown.current !== pathname
    shown.current = pathname
    if (moved) focus(content())
  }, [pathname])
  useEffect(followFocus, [])
}

/** Return true if no control has the focus. */
export function hasNoFocus(): boolean {
  return document.activeElement === document.body || document.activeElement === content()
}

function content(): HTMLElement | null {
  return document.getElementById('content')
}

/** Move the focus to the part of the page around a focused control that is removed. @returns what ends it */
function followFocus(): () => void {
  let around: HTMLElement[] = []
  let timer = 0
  const note = ({ target }: FocusEvent) => {
    around = ancestorsOf(target as HTMLElement)
  }
  const rescue = () => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return
    const part = around.find((one) => one.isConnected && one.matches(PARTS))
    around = []
    focus(part ?? content())
  }
  const observer = new MutationObserver(() => {
    if (around[0]?.isConnected !== false) return
    window.clearTimeout(timer)
    timer = window.setTimeout(rescue, SETTLE_MS)
  })
  document.addEventListener('focusin', note)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    window.clearTimeout(timer)
    document.removeEventListener('focusin', note)
    observer.disconnect()
  }
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const all: HTMLElement[] = []
  for (let one: HTMLElement | null = element; one; one = one.parentElement) all.push(one)
  return all
}

function focus(part: HTMLElement | null): void {
  if (!part) return
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1
  part.focus({ preventScroll: true })
}
