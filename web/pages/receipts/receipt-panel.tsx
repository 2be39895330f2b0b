import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { AuditLink } from '../../parts/audit-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Receipt } from '../../wire.ts'

/** The receipt of a payment, or the button that makes it. @param may_issue whether the money is there */
export function ReceiptPanel({ collection, may_issue }: { collection: number; may_issue: boolean }) {
  const { may } = useSession()
  const client = useQueryClient()
  const queryKey = ['/receipts', { collection }]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => api.get<List<Receipt>>('/receipts', { collection }),
  })
  const issue = useMutation({
    mutationFn: () => api.post('/receipts', { collection }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['/receipts'] }),
  })
  const receipt = data?.results[0]
  if (!receipt && !error && !may_issue) return null
  return (
    <Panel title={t('receipts.receipt')}>
      <Problem error={error ?? issue.error} retry={error ? refetch : undefined} />
      {receipt && <Shown receipt={receipt} />}
      {data && !receipt && may('initiate_collections') && (
        <Button variant="default" loading={issue.isPending} onClick={() => issue.mutate()}>
          {t('receipts.create')}
        </Button>
      )}
      {data && !receipt && !may('initiate_collections') && <Text fz="sm">{t('receipts.none_here')}</Text>}
    </Panel>
  )
}

function Shown({ receipt }: { receipt: Receipt }) {
  const { may } = useSession()
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text fw={600} className="numeric">
          {receipt.number}
        </Text>
        <Status state={receipt.state} />
        <Text fz="sm">
          <Time at={receipt.created} />
        </Text>
      </Group>
      <Group gap="xs">
        <Button component="a" variant="default" href={receipt.url} target="_blank" rel="noreferrer">
          {t('receipts.view')}
        </Button>
        <Button component="a" variant="default" href={receipt.pdf_url} target="_blank" rel="noreferrer">
          {t('receipts.pdf')}
        </Button>
        {may('initiate_collections') && <SendButtons receipt={receipt} />}
        <AuditLink object="receipt" id={receipt.id} />
      </Group>
      <Sends receipt={receipt} />
    </Stack>
  )
}

function SendButtons({ receipt }: { receipt: Receipt }) {
  const client = useQueryClient()
  const path = `/receipts/${receipt.id}/send`
  return (
    <>
      {receipt.phonenumber.startsWith('+') && (
        <Confirm
          button={t('receipts.sms.button')}
          size="sm"
          title={t('receipts.sms.title')}
          act={(key) => api.postOnce(path, { channel: 'sms' }, key)}
          done={() => client.invalidateQueries({ queryKey: ['/receipts'] })}
        >
          {t('receipts.sms.text', {
            phonenumber: receipt.phonenumber,
            amount: formatMoney(receipt.amount, receipt.currency),
          })}
        </Confirm>
      )}
      <FormDialog
        button={t('receipts.email.button')}
        title={t('receipts.email.title')}
        submit={t('receipts.email.submit')}
        look={{ variant: 'default' }}
        initial={{ email: '' }}
        send={({ email }, key) => api.postOnce(path, { channel: 'email', ...(email.trim() && { email }) }, key)}
        done={t('receipts.email.done')}
        fields={(form) => (
          <TextInput
            label={t('receipts.email.address')}
            description={t('receipts.email.address_about')}
            type="email"
            data-autofocus
            {...form.getInputProps('email')}
          />
        )}
      />
    </>
  )
}

/** Addressees of the receipt. */
function Sends({ receipt: { sends } }: { receipt: Receipt }) {
  if (sends.length === 0) return null
  return (
    <DataTable
      title={t('receipts.sent_to')}
      // A send has no id, and the list only grows at its beginning.
      rows={sends.map((send, index) => ({ ...send, number: sends.length - index }))}
      keyOf={({ number }) => number}
      columns={[
        {
          title: t('receipts.sent_to'),
          value: ({ recipient, channel }) => t('receipts.recipient', { recipient, channel: formatWord(channel) }),
        },
        { title: t('fields.state'), status: true, value: ({ state }) => <Status state={state} /> },
        { title: t('receipts.when'), value: ({ created }) => <Time at={created} /> },
      ]}
    />
  )
}
