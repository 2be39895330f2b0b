import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatMoney, formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { Sms } from '../../wire.ts'
import { SmsOverview } from './overview.tsx'
import { formatPurpose, purposes } from './purposes.ts'

const states = ['waiting', 'sent', 'delivered', 'failed', 'unknown']

/** SMS to customers, with their states and costs. */
export default function SmsPage() {
  return (
    <ListPage<Sms>
      title={t('shell.nav.sms')}
      about={t('sms.about')}
      path="/sms"
      above={<SmsOverview />}
      empty={t('sms.none')}
      filters={[
        { name: 'state', label: t('fields.state'), choices: states },
        {
          name: 'purpose',
          label: t('fields.purpose'),
          choices: purposes.map((value) => ({ value, label: formatPurpose(value) })),
        },
        { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256772000001' },
      ]}
      columns={[
        { name: 'to', title: t('fields.to'), value: (row) => row.phonenumber },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <StateCell sms={row} />,
          file: (row) => formatWord(row.state),
          beside: [{ title: t('fields.problem'), file: (row) => row.last_error }],
        },
        { name: 'purpose', title: t('fields.purpose'), value: (row) => <Cause sms={row} />, file: describeCause },
        {
          name: 'text',
          title: t('sms.text'),
          value: (row) => <span className="any-break">{row.body}</span>,
          file: (row) => row.body,
        },
        { name: 'parts', title: t('sms.parts'), align: 'right', value: (row) => row.parts ?? '—' },
        {
          name: 'cost',
          title: t('sms.cost'),
          align: 'right',
          value: (row) => (row.cost === null ? '—' : formatMoney(row.cost, row.currency ?? '')),
          file: (row) => ({ amount: row.cost, currency: row.currency }),
        },
        {
          name: 'created',
          title: t('fields.created'),
          ordering: 'id',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}

function StateCell({ sms: { state, last_error } }: { sms: Sms }) {
  return (
    <>
      <Status state={state} />
      {last_error && (
        <Text fz="xs" c="dimmed" className="any-break">
          {translateMessage(last_error)}
        </Text>
      )}
    </>
  )
}

/** Say in words what an SMS is for. */
function describeCause({ purpose, collection_request, payment }: Sms): string {
  const words = formatPurpose(purpose)
  if (collection_request !== null) return `${words}, ${t('fields.request_id', { id: collection_request })}`
  return payment === null ? words : `${words}, ${t('fields.payment_id', { id: payment })}`
}

function Cause({ sms: { purpose, collection_request, payment } }: { sms: Sms }) {
  const id = collection_request ?? payment
  if (id === null) return formatPurpose(purpose)
  const to = collection_request === null ? `/payments/${id}` : `/collectionrequests/${id}`
  return (
    <Trans
      i18nKey={collection_request === null ? 'sms.for_payment' : 'sms.for_request'}
      values={{ purpose: formatPurpose(purpose), id }}
      components={{ a: <Anchor component={Link} to={to} inherit underline="always" /> }}
    />
  )
}
