import { formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { Wallet } from '../../wire.ts'

/** The list of wallets. */
export default function Wallets() {
  return (
    <ListPage<Wallet>
      title="Wallets"
      about="What you have. Money comes into them and is sent from them."
      path="/accounts"
      rowLink={(row) => `/wallets/${row.id}`}
      empty="There is none yet. An operator opens them."
      poll_ms={5_000}
      columns={[
        { title: 'Wallet', value: (row) => row.name },
        {
          title: 'Balance',
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={String(row.balance)} currency={row.currency} />,
        },
        { title: 'Kind', value: (row) => formatWord(row.kind) },
        { title: 'Status', value: (row) => <Status of={row.status} /> },
        { title: 'Since', ordering: 'created', value: (row) => <Time at={row.created} /> },
        { title: 'Id', align: 'right', ordering: 'id', value: (row) => <span className="numeric">{row.id}</span> },
      ]}
    />
  )
}
