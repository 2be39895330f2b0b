import { Alert, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { ControlChange } from '../../wire.ts'

/** The answer to a decision; a confirmed invitation has a link. */
export interface Decided {
  change: ControlChange
  link: { mailed: boolean; path: string | null; problem: string | null } | null
}

/** The one who asked may withdraw a change; another manager confirms or rejects it. */
export function ChangeButtons({ change, done }: { change: ControlChange; done(decided: Decided): void }) {
  const { user } = useSession()
  const client = useQueryClient()
  const decide = (verdict: string) => async () => {
    done(await api.post<Decided>(`/control-changes/${change.id}/${verdict}`))
  }
  const refresh = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  if (change.author === user?.id)
    return (
      <Confirm
        button={t('changes.withdraw')}
        title={t('changes.withdraw_title')}
        act={decide('withdraw')}
        done={refresh}
      >
        {change.description}
      </Confirm>
    )
  return (
    <Group gap="xs">
      <Confirm button={t('changes.reject')} title={t('changes.reject_title')} act={decide('reject')} done={refresh}>
        {change.description}
      </Confirm>
      <Confirm button={t('changes.confirm')} title={t('changes.confirm_title')} act={decide('confirm')} done={refresh}>
        {change.description}
      </Confirm>
    </Group>
  )
}

/** The link of a confirmed invitation, which cannot be shown again. */
export function LinkNotice({ mailed, path, problem, close }: NonNullable<Decided['link']> & { close(): void }) {
  return (
    <Alert
      role="status"
      color={problem ? 'yellow' : 'green'}
      title={t(mailed ? 'changes.invitation_mailed' : 'changes.invitation_link')}
      withCloseButton
      closeButtonLabel={t('parts.close')}
      onClose={close}
    >
      {problem && translateMessage(problem)}
      {path && <CopyField label={t('users.link')} value={`${window.location.origin}${path}`} />}
    </Alert>
  )
}
