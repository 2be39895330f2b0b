/** An event of the organization, as the stream reports it. */
export interface LiveEvent {
  type: string
  /** The body of a webhook notification. */
  body: string
  /** The object as it was when the event happened. */
  data: Readonly<Record<string, unknown>>
}

/** Listener of a part of the console to the stream. */
export interface LiveListener {
  /** The stream has opened: anything may have happened before. */
  onOpen?(): void
  onEvent?(event: LiveEvent): void
  /** The state of the whole service has changed: sending, maintenance or the clock. */
  onService?(): void
  /** The organization's rules of approval have changed. */
  onRules?(): void
  /** The stream has opened or closed. */
  onState?(open: boolean): void
}

/** Connect to the stream, and call the listener until it is closed. */
export type Connect = (listener: Required<Omit<LiveListener, 'onEvent'>> & { onMessage(body: string): void }) => {
  close(): void
}

/** Visibility of the window, and a hook for its changes. */
export interface Visibility {
  isHidden(): boolean
  /** @returns a function that ends the calls */
  watch(changed: () => void): () => void
}

export interface LiveHub {
  isOpen(): boolean
  /**
   * Add a listener. The stream is open while there is one and the window is visible. @returns a function that removes
   * it
   */
  follow(listener: LiveListener): () => void
}

/** Create the one stream for all listeners of a window. A hidden window has no stream and causes no traffic. */
export function createLiveHub(connect: Connect, visibility: Visibility): LiveHub {
  const listeners = new Set<LiveListener>()
  let stream: { close(): void } | undefined
  let unwatch: (() => void) | undefined
  let is_open = false

  function setOpen(open: boolean): void {
    if (open === is_open) return
    is_open = open
    for (const listener of listeners) listener.onState?.(open)
  }

  function adjust(): void {
    const is_wanted = listeners.size > 0 && !visibility.isHidden()
    if (is_wanted === (stream !== undefined)) return
    stream?.close()
    stream = undefined
    if (!is_wanted) {
      setOpen(false)
      return
    }
    stream = connect({
      onState: setOpen,
      onOpen() {
        for (const listener of listeners) listener.onOpen?.()
      },
      onService() {
        for (const listener of listeners) listener.onService?.()
      },
      onRules() {
        for (const listener of listeners) listener.onRules?.()
      },
      onMessage(body) {
        const event = readEvent(body)
        if (event) for (const listener of listeners) listener.onEvent?.(event)
      },
    })
  }

  return {
    isOpen: () => is_open,
    follow(listener) {
      listeners.add(listener)
      unwatch ??= visibility.watch(adjust)
      adjust()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unwatch?.()
        unwatch = undefined
        adjust()
      }
    },
  }
}

/** Read the body of a notification; undefined for one that this version of the console cannot read. */
function readEvent(body: string): LiveEvent | undefined {
  try {
    const { hook, data } = JSON.parse(body) as { hook: { event: string }; data: Record<string, unknown> }
    return { type: hook.event, body, data }
  } catch {
    return undefined
  }
}
