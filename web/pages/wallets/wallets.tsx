import { formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { Wallet } from '../../wire.ts'
import { OpenWallet, useIsOperator } from './dialogs.tsx'

export default function Wallets() {
  const operates = useIsOperator()
  return (
    <ListPage<Wallet>
      title={t('shell.nav.wallets')}
      about={t('wallets.about')}
      path="/accounts"
      actions={operates && <OpenWallet />}
      rowLink={(row) => `/wallets/${row.id}`}
      empty={t('wallets.none')}
      columns={[
        { name: 'wallet', title: t('wallets.wallet'), value: (row) => row.name },
        {
          name: 'balance',
          card: 'amount',
          title: t('fields.balance'),
          align: 'right',
          ordering: 'amount',
          value: (row) => <Money amount={String(row.balance)} currency={row.currency} />,
          file: (row) => ({ amount: String(row.balance), currency: row.currency }),
        },
        { name: 'type', card: 'note', title: t('fields.type'), value: (row) => formatWord(row.kind) },
        {
          name: 'status',
          title: t('fields.status'),
          status: true,
          value: (row) => <Status state={row.status} />,
          file: (row) => formatWord(row.status),
        },
        {
          name: 'created',
          title: t('fields.created'),
          ordering: 'created',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
        {
          name: 'id',
          title: t('fields.id'),
          align: 'right',
          ordering: 'id',
          value: (row) => <span className="numeric">{row.id}</span>,
          file: (row) => row.id,
        },
      ]}
    />
  )
}
