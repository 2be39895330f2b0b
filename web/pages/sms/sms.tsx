import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatMoney, formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Sms } from '../../wire.ts'
import { SmsOverview } from './overview.tsx'

const states = ['waiting', 'sent', 'delivered', 'failed', 'unknown']
const purposes = ['instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply']

/** The SMS to customers: what was sent, what became of it, and what it cost. */
export default function SmsPage() {
  return (
    <ListPage<Sms>
      title="SMS"
      about="What your customers were told by SMS, and what became of it."
      path="/sms"
      csv={false}
      above={<SmsOverview />}
      empty="No SMS was sent yet."
      poll_ms={5_000}
      filters={[
        { name: 'state', label: 'State', choices: states },
        { name: 'purpose', label: 'Purpose', choices: purposes },
        { name: 'phonenumber', label: 'Phone number', placeholder: '+256772000001' },
      ]}
      columns={[
        { title: 'To', value: (row) => row.phonenumber },
        { title: 'State', value: (row) => <StateCell sms={row} /> },
        { title: 'For', value: (row) => <Cause sms={row} /> },
        { title: 'Text', value: (row) => <span className="any-break">{row.body}</span> },
        { title: 'Parts', align: 'right', value: (row) => row.parts ?? '—' },
        {
          title: 'Cost',
          align: 'right',
          value: (row) => (row.cost === null ? '—' : formatMoney(row.cost, row.currency ?? '')),
        },
        { title: 'Written', ordering: 'id', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}

function StateCell({ sms: { state, last_error } }: { sms: Sms }) {
  return (
    <>
      <Status of={state} />
      {last_error && (
        <Text fz="xs" c="dimmed" className="any-break">
          {last_error}
        </Text>
      )}
    </>
  )
}

function Cause({ sms: { purpose, collection_request, payment } }: { sms: Sms }) {
  const cause =
    collection_request !== null
      ? { to: `/collectionrequests/${collection_request}`, name: `request ${collection_request}` }
      : payment !== null && { to: `/payments/${payment}`, name: `payment ${payment}` }
  if (!cause) return formatWord(purpose)
  return (
    <>
      {formatWord(purpose)},{' '}
      <Anchor component={Link} to={cause.to} inherit underline="always">
        {cause.name}
      </Anchor>
    </>
  )
}
