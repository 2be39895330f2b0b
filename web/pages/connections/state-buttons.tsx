import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { isPending, notifyChange } from '../../parts/pending-change.tsx'
import type { ConsoleConnectionDetail } from '../../wire.ts'

/** The buttons that put a connection into use, pause it, and remove it. */
export function StateButtons({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, state, own } = connection
  const client = useQueryClient()
  const navigate = useNavigate()
  if (!own) return null
  const changed = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  const remove = async () => {
    const answer = await api.post(`/connections/${slug}/remove`)
    notifyChange(answer, 'The connection is removed.')
    if (isPending(answer)) return changed()
    client.removeQueries({ queryKey: ['/connections', slug] })
    return navigate({ to: '/connections' })
  }
  return (
    <>
      {state === 'active' ? (
        <Confirm
          button="Pause"
          title={`Pause ${slug}?`}
          size="sm"
          act={async () => notifyChange(await api.post(`/connections/${slug}/pause`), 'The connection is paused.')}
          done={changed}
        >
          It gets no new orders. Those that are open go on, and money that comes is booked. You can activate it again at
          any time.
        </Confirm>
      ) : (
        <ActivateButton connection={connection} />
      )}
      {state !== 'active' && (
        <Confirm button="Remove" title={`Remove ${slug}?`} size="sm" danger act={remove}>
          It is gone for good, and its name cannot be used again. Orders and money of it stay where they are.
        </Confirm>
      )}
    </>
  )
}

/** Puts a connection into use. Whether it has been tested is checked by the service, which says what is missing. */
export function ActivateButton({ connection, done }: { connection: ConsoleConnectionDetail; done?: () => void }) {
  const { slug, live, network, places } = connection
  const client = useQueryClient()
  return (
    <Confirm
      button="Activate"
      title={`Activate ${slug}?`}
      size="sm"
      act={async () => notifyChange(await api.post(`/connections/${slug}/activate`), 'The connection is in use.')}
      done={() => {
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
        done?.()
      }}
    >
      {live ? `From now on it moves real money over ${network}.` : `From now on it carries orders over ${network}.`}
      {places.length === 0 && ' No wallet uses it yet, so nothing is sent until you add one.'}
    </Confirm>
  )
}
