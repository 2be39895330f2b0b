import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { KeptFinding, Wallet } from '../../wire.ts'

/** A button for the form that enters received money from a line of the statement, for a second person to approve. */
export function EnterMoney({ url, finding }: { url: string; finding: KeptFinding }) {
  const { data } = useQuery({
    queryKey: ['/accounts', 'choice'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { limit: 1_000, ordering: 'id' }),
  })
  const { stated_currency } = finding
  const wallets = (data?.results ?? []).filter(
    ({ currency }) => stated_currency === null || currency === stated_currency,
  )
  return (
    <FormDialog
      button={t('reconciliation.enter')}
      title={t('reconciliation.enter_title')}
      submit={t('reconciliation.enter')}
      initial={{ account: wallets.length === 1 ? String(wallets[0]!.id) : '', phonenumber: '', note: '' }}
      look={{ size: 'xs', variant: 'default' }}
      send={({ account, phonenumber, note }) =>
        api.post(`${url}/enter`, { account: Number(account), note, ...(phonenumber && { phonenumber }) })
      }
      done={t('reconciliation.entered')}
      fields={(form) => (
        <>
          <Text fz="sm">{t('reconciliation.enter_about')}</Text>
          <Select
            label={t('reconciliation.wallet')}
            data={wallets.map(({ id, name, currency }) => ({ value: String(id), label: `${name} (${currency})` }))}
            {...form.getInputProps('account')}
          />
          <TextInput
            label={t('reconciliation.phone')}
            description={t('reconciliation.phone_about')}
            placeholder={finding.stated_phone ?? ''}
            {...form.getInputProps('phonenumber')}
          />
          <Textarea
            label={t('reconciliation.note')}
            description={t('reconciliation.note_about')}
            required
            autosize
            minRows={3}
            {...form.getInputProps('note')}
          />
        </>
      )}
    />
  )
}

/** The decision of a second person about entered money. */
export function EntryDecision({ run, finding }: { run: number; finding: KeptFinding }) {
  const { may, user } = useSession()
  const client = useQueryClient()
  const url = `/reconciliations/${run}/findings/${finding.id}`
  const again = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  const is_author = user?.id === finding.entered_by
  return (
    <Stack gap="xs" align="flex-start">
      {may('approve_payments') && !is_author && (
        <Confirm
          button={t('reconciliation.approve')}
          title={t('reconciliation.approve_title')}
          act={() => api.post(`${url}/approve`)}
          done={again}
        >
          {t('reconciliation.approve_text', { name: finding.entered_by_name ?? '' })}
        </Confirm>
      )}
      {(may('approve_payments') || is_author) && (
        <Confirm
          button={t('reconciliation.reject')}
          title={t('reconciliation.reject_title')}
          act={() => api.post(`${url}/reject`)}
          done={again}
        >
          {t('reconciliation.reject_text')}
        </Confirm>
      )}
    </Stack>
  )
}
