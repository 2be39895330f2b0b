import { useEffect, useEffectEvent, useState } from 'react'
import { eventTypes } from './event-types.ts'

/** The page is notified at most once in this time. */
const NOTIFY_DELAY_MS = 500
/** A refused stream is opened again after this time. The browser itself reconnects a broken stream. */
const RETRY_MS = 10_000

/**
 * Follows the events of the organization while the window is visible. Browsers open few connections to a host, so a
 * hidden window closes its stream.
 * @param onChange is called when the stream opens, because events may have happened before, and after events. Its
 * argument is the webhook body of the newest event.
 * @returns whether the stream is open
 */
export function useEventStream(onChange: (newest: string | undefined) => void): boolean {
  const [open, setOpen] = useState(false)
  const notify = useEffectEvent(onChange)
  useEffect(() => {
    let newest: string | undefined
    let timer: number | undefined
    const notifySoon = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        notify(newest)
      }, NOTIFY_DELAY_MS)
    }
    let close: (() => void) | undefined
    const follow = () => {
      close?.()
      close = document.hidden
        ? undefined
        : openStream({
            setOpen,
            onOpen: notifySoon,
            onEvent: (body) => {
              newest = body
              notifySoon()
            },
          })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      window.clearTimeout(timer)
      close?.()
    }
  }, [])
  return open
}

interface StreamListener {
  setOpen(open: boolean): void
  onOpen(): void
  onEvent(body: string): void
}

/** Opens the stream. @returns a function that closes it */
function openStream(listener: StreamListener): () => void {
  const source = new EventSource('/console/api/events/stream')
  let retry: number | undefined
  let closeNext: (() => void) | undefined
  source.onopen = () => {
    listener.setOpen(true)
    listener.onOpen()
  }
  source.onerror = () => {
    listener.setOpen(false)
    if (source.readyState !== EventSource.CLOSED) return
    retry = window.setTimeout(() => {
      closeNext = openStream(listener)
    }, RETRY_MS)
  }
  for (const type of eventTypes)
    source.addEventListener(type, ({ data }: MessageEvent<string>) => listener.onEvent(data))
  return () => {
    source.close()
    window.clearTimeout(retry)
    closeNext?.()
    listener.setOpen(false)
  }
}
