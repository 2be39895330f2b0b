import { useSyncExternalStore } from 'react'
import { eventTypes } from '../event-types.ts'
import { type Connect, createLiveHub, type LiveHub } from './hub.ts'

/** A refused stream is opened again after this time. The browser itself reconnects a broken stream. */
const RETRY_MS = 10_000

/**
 * Open the stream of the session. After a short interruption the browser sends the id of the last event, so none is
 * missed. Each opening makes the listener refresh its data.
 */
const connect: Connect = (listener) => {
  let source: EventSource | undefined
  let retry: number | undefined
  const open = () => {
    const opened = new EventSource('/console/api/events/stream')
    source = opened
    opened.onopen = () => {
      listener.onState(true)
      listener.onOpen()
    }
    opened.onerror = () => {
      listener.onState(false)
      if (opened.readyState === EventSource.CLOSED) retry = window.setTimeout(open, RETRY_MS)
    }
    for (const type of eventTypes)
      opened.addEventListener(type, ({ data }: MessageEvent<string>) => listener.onMessage(data))
    opened.addEventListener('service', () => listener.onService())
    opened.addEventListener('rules', () => listener.onRules())
  }
  open()
  return {
    close() {
      window.clearTimeout(retry)
      source?.close()
    },
  }
}

/** The stream of this window. */
export const live: LiveHub = createLiveHub(connect, {
  isHidden: () => document.hidden,
  watch(changed) {
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  },
})

/** Return true if the stream is open. */
export function useLiveState(): boolean {
  return useSyncExternalStore(watchState, live.isOpen)
}

function watchState(changed: () => void): () => void {
  return live.follow({ onState: changed })
}
