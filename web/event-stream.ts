import { useEffect, useEffectEvent, useState } from 'react'
import { eventTypes } from './event-types.ts'

/** However much happens, the page is told no more often. */
const NOTIFY_DELAY_MS = 500
/** A refused stream is asked for again after this long. (One that broke comes back by itself.) */
const RETRY_MS = 10_000

/**
 * Follows what happens in the organization, while the window is in sight: browsers open few connections to a host, and hidden
 * windows would hold theirs.
 * @param tell is called when the stream begins, since something may have happened before, and after events; with the body
 * that a webhook would be sent of the newest one that came.
 * @returns whether the stream is open.
 */
export function useEventStream(tell: (newest: string | undefined) => void): boolean {
  const [open, setOpen] = useState(false)
  const told = useEffectEvent(tell)
  useEffect(() => {
    let newest: string | undefined
    let pause: number | undefined
    const tellSoon = () => {
      pause ??= window.setTimeout(() => {
        pause = undefined
        told(newest)
      }, NOTIFY_DELAY_MS)
    }
    let leave: (() => void) | undefined
    const follow = () => {
      leave?.()
      leave = document.hidden
        ? undefined
        : openStream({
            setOpen,
            onOpen: tellSoon,
            onEvent: (body) => {
              newest = body
              tellSoon()
            },
          })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      window.clearTimeout(pause)
      leave?.()
    }
  }, [])
  return open
}

interface StreamListener {
  setOpen(open: boolean): void
  onOpen(): void
  onEvent(body: string): void
}

/** @returns what closes it. */
function openStream(listener: StreamListener): () => void {
  const source = new EventSource('/console/api/events/stream')
  let retry: number | undefined
  let leaveNext: (() => void) | undefined
  source.onopen = () => {
    listener.setOpen(true)
    listener.onOpen()
  }
  source.onerror = () => {
    listener.setOpen(false)
    if (source.readyState !== EventSource.CLOSED) return
    retry = window.setTimeout(() => {
      leaveNext = openStream(listener)
    }, RETRY_MS)
  }
  for (const type of eventTypes)
    source.addEventListener(type, ({ data }: MessageEvent<string>) => listener.onEvent(data))
  return () => {
    source.close()
    window.clearTimeout(retry)
    leaveNext?.()
    listener.setOpen(false)
  }
}
