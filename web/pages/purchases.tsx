import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../format.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Purchase } from '../wire.ts'

export const categories = ['airtime', 'databundle', 'cabletv', 'electricity', 'epin', 'exampin']

/** The list of bill purchases. */
export default function Purchases() {
  const { may } = useSession()
  return (
    <ListPage<Purchase>
      title={t('shell.nav.bills')}
      about={t('bills.about')}
      path="/purchases"
      rowLink={(row) => `/bills/${row.id}`}
      primary={
        <Button component={Link} to="/bills/buy">
          {t('bills.buy.title')}
        </Button>
      }
      actions={
        <>
          {may('manage_organization') && (
            <Button variant="default" component={Link} to="/bills/providers">
              {t('bills.providers_link')}
            </Button>
          )}
          <Button variant="default" component={Link} to="/bills/catalogue">
            {t('bills.catalogue.title')}
          </Button>
        </>
      }
      empty={t('bills.none')}
      filters={[
        { name: 'status', label: t('fields.status'), choices: ['pending', 'success', 'failed'], noun: 'purchase' },
        { name: 'kind', label: t('fields.type'), choices: categories },
        { name: 'agent_reference', label: t('fields.reference') },
      ]}
      bulk={[]}
      columns={[
        {
          name: 'service',
          title: t('bills.service'),
          value: (row) => t('bills.service_of', { kind: formatWord(row.kind), service: row.service_name }),
        },
        { name: 'for', card: 'note', title: t('bills.for'), value: (row) => row.account_number || row.phone || '—' },
        {
          name: 'amount',
          card: 'amount',
          title: t('fields.amount'),
          align: 'right',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
          file: (row) => row,
        },
        {
          name: 'status',
          title: t('fields.status'),
          status: true,
          value: (row) => <Status state={row.status} noun="purchase" />,
          file: (row) => formatWord(row.status, 'purchase'),
        },
        { name: 'reference', title: t('fields.reference'), value: (row) => row.agent_reference },
        {
          name: 'created',
          card: 'note',
          title: t('fields.created'),
          ordering: 'id',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}
