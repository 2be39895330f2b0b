import { Alert, Anchor, Badge, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Money } from '../../parts/money.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail, WaitingFile } from '../../wire.ts'
import { RequestedBy } from './demands.tsx'

/** Waiting file of payments: what its one approval concerns, and the buttons for this user's decision. */
export function FileLine({ file }: { file: WaitingFile }) {
  const { id, file_name, description } = file
  return (
    <Stack gap="xs" className="waiting-payment">
      <Stack gap={2}>
        <Anchor component={Link} to={`/bulk-payments/${id}`} fw={600} fz="sm" className="any-break">
          {file_name}
        </Anchor>
        <Text fz="sm" className="any-break">
          {description}
        </Text>
        <RequestedBy item={file} />
      </Stack>
      <FileContent file={file} />
      <FileDecisions file={file} />
    </Stack>
  )
}

/** The same on the page of the file itself. */
export function FileApproval({ file }: { file: WaitingFile }) {
  return (
    <Alert color="yellow" title={t('payments.approval_title')}>
      <Stack gap="xs">
        <FileContent file={file} />
        <FileDecisions file={file} />
      </Stack>
    </Alert>
  )
}

/** People, sums, fees, names and rows that the approval of a file concerns. */
function FileContent({ file }: { file: WaitingFile }) {
  const { id, recipients, sums, first_row, last_row, file_name, uploaded_by_name, author_name } = file
  const lines: [string, ReactNode][] = [
    [t('approvals.files.people'), formatCount(recipients)],
    [t('fields.amount'), <Sums key="amount" sums={sums} of="amount" />],
    [t('approvals.files.fees'), <Sums key="fees" sums={sums} of="fee" />],
    [t('approvals.files.names'), <Names key="names" file={file} />],
    [
      t('approvals.files.from'),
      <Anchor key="rows" component={Link} to={`/bulk-payments/${id}`} inherit underline="always" className="any-break">
        {t('approvals.files.rows', { first: formatCount(first_row), last: formatCount(last_row), name: file_name })}
      </Anchor>,
    ],
    ...(uploaded_by_name === author_name ? [] : [[t('bulk.by'), uploaded_by_name] as [string, ReactNode]]),
    ...approvalsOf(file),
  ]
  return (
    <Table
      withRowBorders={false}
      verticalSpacing={2}
      horizontalSpacing={0}
      w="auto"
      fz="sm"
      style={{ alignSelf: 'flex-start' }}
    >
      <Table.Tbody>
        {lines.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400} pr="md" style={{ verticalAlign: 'top' }}>
              {label}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function approvalsOf({ approvals_required, approved_by_names }: WaitingFile): [string, ReactNode][] {
  if (approvals_required < 2 && approved_by_names.length === 0) return []
  const given = t('payments.approvals_given', { count: approvals_required, given: approved_by_names.length })
  return [[t('payments.people.approvals'), [given, ...approved_by_names].join(', ')]]
}

function Sums({ sums, of }: { sums: WaitingFile['sums']; of: 'amount' | 'fee' }) {
  return sums.map((sum) => (
    <div key={sum.currency}>
      <Money amount={sum[of]} currency={sum.currency} />
    </div>
  ))
}

/** Names that differ, are not registered, or are not known; or that all agree. */
function Names({ file: { id, names } }: { file: WaitingFile }) {
  const { differs = 0, not_registered = 0, unknown = 0, pending = 0 } = names
  const doubtful = differs + not_registered
  const unchecked = unknown + pending
  return (
    <Stack gap={2} align="flex-start">
      {doubtful > 0 && (
        <Anchor component={Link} to={`/bulk-payments/${id}?show=names`} underline="never">
          <Badge variant="dot" color="red" tt="none" fw={500} className="wrapping-badge">
            {t('approvals.doubtful', { count: doubtful })}
          </Badge>
        </Anchor>
      )}
      {unchecked > 0 && <span>{t('approvals.files.unknown', { count: unchecked })}</span>}
      {doubtful + unchecked === 0 && <span>{t('approvals.files.all_match')}</span>}
    </Stack>
  )
}

/** A file in words: its sums, and to how many people they go. */
export function describeFile({ sums, recipients }: WaitingFile): string {
  return t('approvals.files.text', {
    sums: sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(', '),
    count: recipients,
  })
}

function FileDecisions({ file }: { file: WaitingFile }) {
  const client = useQueryClient()
  const { id, obstacle } = file
  const readAgain = () => {
    for (const queryKey of [['/bulk-payments'], ['/approvals'], ['/payments']]) client.invalidateQueries({ queryKey })
  }
  if (obstacle !== null)
    return (
      <Text fz="sm" c="dimmed">
        {obstacle === 'creating' ? t('approvals.files.creating') : t(`approvals.files.obstacles.${obstacle}`)}
      </Text>
    )
  return (
    <Group gap="xs">
      <FormDialog
        button={t('payments.reject')}
        title={t('approvals.files.reject_title')}
        submit={t('payments.reject')}
        danger
        look={{ variant: 'default', size: 'xs' }}
        initial={{ reason: '' }}
        send={async (values) => {
          await api.post(`/bulk-payments/${id}/reject`, values)
          readAgain()
        }}
        done={t('payments.returned')}
        fields={(form) => (
          <>
            <Text fz="sm">{describeFile(file)}</Text>
            <TextInput label={t('fields.reason')} required data-autofocus {...form.getInputProps('reason')} />
          </>
        )}
      />
      <Confirm
        button={t('payments.approve')}
        title={t('approvals.files.approve_title')}
        act={async () => {
          const { awaiting_approval } = await api.post<BulkPaymentDetail>(`/bulk-payments/${id}/approve`)
          const message = t(`approvals.files.${awaiting_approval.length > 0 ? 'partly' : 'approved'}`)
          notifications.show({ color: 'green', message })
        }}
        done={readAgain}
      >
        <FileContent file={file} />
      </Confirm>
    </Group>
  )
}
