import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { isPending, notifyChange } from '../../parts/pending-change.tsx'
import { useGoOn } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { ConsoleConnectionDetail } from '../../wire.ts'

/** The buttons that put a connection into use, pause it, and remove it. */
export function StateButtons({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, state, own } = connection
  const client = useQueryClient()
  const goOn = useGoOn()
  if (!own) return null
  const changed = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  const remove = async () => {
    const answer = await api.post(`/connections/${slug}/remove`)
    notifyChange(answer, t('connections.states.removed'))
    if (isPending(answer)) return changed()
    client.removeQueries({ queryKey: ['/connections', slug] })
    return goOn('/connections')
  }
  return (
    <>
      {state === 'active' ? (
        <Confirm
          button={t('connections.states.pause')}
          title={t('connections.states.pause_title', { slug })}
          size="sm"
          act={async () => notifyChange(await api.post(`/connections/${slug}/pause`), t('connections.states.paused'))}
          done={changed}
        >
          {t('connections.states.pause_text')}
        </Confirm>
      ) : (
        <ActivateButton connection={connection} />
      )}
      {state !== 'active' && (
        <Confirm
          button={t('connections.states.remove')}
          title={t('connections.states.remove_title', { slug })}
          size="sm"
          danger
          act={remove}
        >
          {t('connections.states.remove_text')}
        </Confirm>
      )}
    </>
  )
}

/** Put a connection into use. The service checks that it was tested, and names the missing steps. */
export function ActivateButton({ connection, done }: { connection: ConsoleConnectionDetail; done?: () => void }) {
  const { slug, live, network, places } = connection
  const client = useQueryClient()
  return (
    <Confirm
      button={t('connections.states.activate')}
      title={t('connections.states.activate_title', { slug })}
      size="sm"
      act={async () => notifyChange(await api.post(`/connections/${slug}/activate`), t('connections.states.activated'))}
      done={() => {
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
        done?.()
      }}
    >
      {t(live ? 'connections.states.activate_live' : 'connections.states.activate_test', { network })}
      {places.length === 0 && ` ${t('connections.states.no_wallet')}`}
    </Confirm>
  )
}
