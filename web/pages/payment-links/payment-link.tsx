import { Button, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Share } from '../../parts/share/share.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest, LinkTotals, PaymentLink } from '../../wire.ts'
import { amountOf } from './payment-links.tsx'

/** Payment link with its address, its QR code, its payments, and buttons that change and close it. */
export default function PaymentLinkPage() {
  const { id } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/paymentlinks', id],
    queryFn: () => api.get<PaymentLink>(`/paymentlinks/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/payment-links">{t('shell.nav.payment_links')}</BackLink>
      <PageHead
        audited={['paymentlink', data.id]}
        title={data.title}
        about={data.description}
        actions={may('initiate_collections') && <Actions link={data} changed={refetch} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <AddressPanel link={data} />
        <Stack>
          <LinkFacts link={data} />
          <Payments link={data} />
        </Stack>
      </SimpleGrid>
    </>
  )
}

function Actions({ link, changed }: { link: PaymentLink; changed(): void }) {
  const path = `/paymentlinks/${link.id}`
  const values = {
    title: link.title,
    description: link.description,
    success_message: link.success_message,
    return_url: link.return_url ?? '',
    frame_ancestors: link.frame_ancestors.join(' '),
  }
  return (
    <>
      <FormDialog
        button={t('links.edit.button')}
        title={t('links.edit.title')}
        submit={t('fields.save')}
        look={{ variant: 'default' }}
        initial={values}
        done={t('links.edit.done')}
        send={(changes) => api.patch(path, changes)}
        fields={(form) => (
          <>
            <TextInput label={t('fields.title')} required {...form.getInputProps('title')} />
            <Textarea label={t('fields.description')} autosize minRows={2} {...form.getInputProps('description')} />
            <TextInput label={t('links.success_message')} {...form.getInputProps('success_message')} />
            <TextInput label={t('links.return_url')} type="url" {...form.getInputProps('return_url')} />
            <TextInput label={t('links.frames')} {...form.getInputProps('frame_ancestors')} />
          </>
        )}
      />
      {link.state === 'closed' && (
        <Confirm
          button={t('links.reopen.button')}
          title={t('links.reopen.title')}
          size="sm"
          act={() => api.patch(path, { state: 'active' })}
          done={changed}
        >
          {t('links.reopen.text')}
        </Confirm>
      )}
      {(link.state === 'active' || link.state === 'expired') && (
        <Confirm
          button={t('links.close.button')}
          title={t('links.close.title')}
          size="sm"
          danger
          act={() => api.patch(path, { state: 'closed' })}
          done={changed}
        >
          {t('links.close.text')}
        </Confirm>
      )}
    </>
  )
}

function LinkFacts({ link }: { link: PaymentLink }) {
  return (
    <Facts
      title={t('links.link')}
      facts={[
        [t('fields.state'), <Status key="state" state={link.state} noun="paymentlink" />],
        [t('fields.amount'), amountOf(link)],
        [t('links.use'), t(link.single_use ? 'links.once' : 'links.many')],
        [t('links.until'), link.expiry_date && <Time key="expiry" at={link.expiry_date} />],
        [t('links.questions_asked'), link.fields.map(({ label }) => label).join(', ')],
        [t('links.success_message'), link.success_message],
        [t('links.return_url'), link.return_url],
        [t('links.frames'), link.frame_ancestors.join(', ')],
        [t('fields.created'), <Time key="created" at={link.created} />],
        [t('fields.id'), link.id],
      ]}
    />
  )
}

/** The address to send, and the code to print. */
function AddressPanel({ link }: { link: PaymentLink }) {
  const code = `/console/api/payment-links/${link.id}/qr.svg`
  return (
    <Panel title={t('links.address')} about={t('links.address_about')}>
      <Share url={link.url} label={t('links.link')} code={code} text={link.title} file={`payment-link-${link.id}`} />
    </Panel>
  )
}

/** Sum of payments, and the newest ones. */
function Payments({ link }: { link: PaymentLink }) {
  const query = { payment_link: link.id, limit: 10 }
  const { data } = useQuery({
    queryKey: ['/collectionrequests', query],
    queryFn: () => api.get<List<CollectionRequest>>('/collectionrequests', query),
  })
  const { data: totals } = useQuery({
    queryKey: ['/payment-links', link.id, 'totals'],
    queryFn: () => api.get<LinkTotals>(`/payment-links/${link.id}/totals`),
  })
  const about =
    totals &&
    t('links.payments.total', {
      paid: formatCount(totals.count),
      amount: formatMoney(totals.amount, link.currency),
    })
  return (
    <Panel title={t('links.payments.title')} about={about}>
      {totals && totals.locked_phones > 0 && (
        <Text fz="sm">{t('links.payments.locked', { number: formatCount(totals.locked_phones) })}</Text>
      )}
      {data?.results.length === 0 && <Text fz="sm">{t('links.payments.none')}</Text>}
      {data?.results.map((request) => (
        <Button
          key={request.id}
          variant="default"
          component={Link}
          to={`/collectionrequests/${request.id}`}
          justify="space-between"
          rightSection={<Status state={request.status} noun="collectionrequest" />}
        >
          {t('fields.amount_from', {
            amount: formatMoney(request.amount, request.currency),
            phonenumber: request.phonenumber,
          })}
        </Button>
      ))}
    </Panel>
  )
}
