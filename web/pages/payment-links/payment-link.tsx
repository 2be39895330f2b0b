import { Anchor, Button, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, type List } from '../../api.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { CollectionRequest, LinkTotals, PaymentLink } from '../../wire.ts'
import { amountOf } from './payment-links.tsx'

/** One payment link with its address, its QR code, what was paid, and buttons that change and close it. */
export default function PaymentLinkPage() {
  const { id } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/paymentlinks', id],
    queryFn: () => api.get<PaymentLink>(`/paymentlinks/${id}`),
    refetchInterval: 5_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/payment-links">Payment links</BackLink>
      <PageHead
        title={data.title}
        about={data.description}
        actions={may('initiate_collections') && <Actions link={data} changed={refetch} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <LinkFacts link={data} />
          <Payments link={data} />
        </Stack>
        <AddressPanel link={data} />
      </SimpleGrid>
    </>
  )
}

function Actions({ link, changed }: { link: PaymentLink; changed(): void }) {
  const path = `/paymentlinks/${link.id}`
  const values = {
    ...{ title: link.title, description: link.description, success_message: link.success_message },
    ...{ return_url: link.return_url ?? '', frame_ancestors: link.frame_ancestors.join(' ') },
  }
  return (
    <>
      <FormDialog
        button="Change"
        title="Change this link"
        submit="Save"
        look={{ variant: 'default' }}
        initial={values}
        done="It is changed."
        send={(changes) => api.patch(path, changes)}
        fields={(form) => (
          <>
            <TextInput label="Title" required {...form.getInputProps('title')} />
            <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
            <TextInput label="Text on the receipt" {...form.getInputProps('success_message')} />
            <TextInput label="Where the customer goes back to" type="url" {...form.getInputProps('return_url')} />
            <TextInput label="Sites that may show the page in a frame" {...form.getInputProps('frame_ancestors')} />
          </>
        )}
      />
      {link.state === 'closed' && (
        <Confirm
          button="Open again"
          title="Open this link again?"
          size="sm"
          act={() => api.patch(path, { state: 'active' })}
          done={changed}
        >
          Its page takes payments again.
        </Confirm>
      )}
      {(link.state === 'active' || link.state === 'expired') && (
        <Confirm
          button="Close"
          title="Close this link?"
          size="sm"
          danger
          act={() => api.patch(path, { state: 'closed' })}
          done={changed}
        >
          Its page takes no payments any more. Prompts that are on phones now may still be approved.
        </Confirm>
      )}
    </>
  )
}

function LinkFacts({ link }: { link: PaymentLink }) {
  return (
    <Facts
      title="Link"
      facts={[
        ['State', <Status key="state" of={link.state} />],
        ['Amount', amountOf(link)],
        ['Use', link.single_use ? 'Once' : 'Many times'],
        ['Takes payments until', link.expiry_date && <Time key="expiry" at={link.expiry_date} />],
        ['Asks for', link.fields.map(({ label }) => label).join(', ')],
        ['Text on the receipt', link.success_message],
        ['Goes back to', link.return_url],
        ['May be in a frame of', link.frame_ancestors.join(', ')],
        ['Made', <Time key="created" at={link.created} />],
        ['Id', link.id],
      ]}
    />
  )
}

/** The address to send, and the code to print. */
function AddressPanel({ link }: { link: PaymentLink }) {
  const code = `/console/api/payment-links/${link.id}/qr.svg`
  return (
    <Panel title="Address" about="Send it, or print the code. Who has it may pay.">
      <CopyField label="Link" value={link.url} />
      <img src={code} alt="QR code of the link" width={240} height={240} />
      <Stack gap={4}>
        <Anchor href={link.url} target="_blank" rel="noreferrer">
          Open the page
        </Anchor>
        <Anchor href={code} download={`payment-link-${link.id}.svg`}>
          Download the code
        </Anchor>
      </Stack>
    </Panel>
  )
}

/** What was paid, and the newest payments. */
function Payments({ link }: { link: PaymentLink }) {
  const query = { payment_link: link.id, limit: 10 }
  const { data } = useQuery({
    queryKey: ['/collectionrequests', query],
    queryFn: () => api.get<List<CollectionRequest>>('/collectionrequests', query),
    refetchInterval: 5_000,
  })
  const { data: totals } = useQuery({
    queryKey: ['/payment-links', link.id, 'totals'],
    queryFn: () => api.get<LinkTotals>(`/payment-links/${link.id}/totals`),
    refetchInterval: 5_000,
  })
  const about = totals && `${formatCount(totals.count)} paid, ${formatMoney(totals.amount, link.currency)} together`
  return (
    <Panel title="Payments" about={about}>
      {data?.results.length === 0 && <Text fz="sm">Nobody has paid yet.</Text>}
      {data?.results.map((request) => (
        <Button
          key={request.id}
          variant="default"
          component={Link}
          to={`/collectionrequests/${request.id}`}
          justify="space-between"
          rightSection={<Status of={request.status} />}
        >
          {formatMoney(request.amount, request.currency)} from {request.phonenumber}
        </Button>
      ))}
    </Panel>
  )
}
