import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Comment, RefundDialog } from '../../parts/refund-dialog.tsx'
import { useSession } from '../../session.tsx'
import type { CollectionRequest, Incoming, PaymentLink, RequestAction } from '../../wire.ts'

const started = ['processing_started', 'instructions_sent']
const unpaid = ['failed', 'expired']

/** What people can do about a request in its state. The service says why something is not possible now. */
export function RequestActions({ request }: { request: CollectionRequest }) {
  const { may } = useSession()
  const collects = may('initiate_collections')
  return (
    <>
      {collects && started.includes(request.status) && <Remind request={request} />}
      {collects && unpaid.includes(request.status) && <TryAgain request={request} />}
      {collects && unpaid.includes(request.status) && <SendLink request={request} />}
      {may('initiate_payments') && request.status === 'successful' && request.collection !== null && (
        <Refund request={request} collection={request.collection} />
      )}
    </>
  )
}

const initial = { comment: '' }

function Remind({ request }: { request: CollectionRequest }) {
  return (
    <FormDialog
      button="Remind"
      title="Remind the customer"
      submit="Send the reminder"
      look={{ variant: 'default' }}
      initial={initial}
      send={(values, key) => api.postOnce<RequestAction>(`/collectionrequests/${request.id}/remind`, values, key)}
      done={(action) =>
        action?.prompt ? 'The reminder is sent, and another prompt follows.' : 'The reminder is sent.'
      }
      fields={(form) => (
        <>
          <Text fz="sm">
            {request.phonenumber} gets the SMS that tells how to pay once more. If the last prompt has ended and another
            one is to come, it comes now.
          </Text>
          <Comment {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

function TryAgain({ request }: { request: CollectionRequest }) {
  return (
    <FormDialog
      button="Try again"
      title="Ask for this money again"
      submit="Try again"
      initial={initial}
      send={(values, key) => api.postOnce<CollectionRequest>(`/collectionrequests/${request.id}/retry`, values, key)}
      done={(made) => (made ? `Request ${made.id} asks for it again.` : 'It was tried again already.')}
      fields={(form) => (
        <>
          <Text fz="sm">
            A new request with the same contents goes to {request.phonenumber}. Each of the two names the other.
          </Text>
          <Comment {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

function SendLink({ request }: { request: CollectionRequest }) {
  return (
    <FormDialog
      button="Send a link"
      title="Send a payment link"
      submit="Send the link"
      look={{ variant: 'default' }}
      initial={initial}
      send={(values, key) => api.postOnce<PaymentLink>(`/collectionrequests/${request.id}/paymentlink`, values, key)}
      done={(link) => (link ? `Payment link ${link.id} is sent by SMS.` : 'The link was sent already.')}
      fields={(form) => (
        <>
          <Text fz="sm">
            {request.phonenumber} gets an SMS with a link for one use and the same amount. Anyone who has the link can
            pay, from any phone, for seven days.
          </Text>
          <Comment {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

/** The button to refund, while something is left to refund. */
function Refund({ request, collection }: { request: CollectionRequest; collection: number }) {
  const { data } = useQuery({
    queryKey: ['/incoming', String(collection)],
    queryFn: () => api.get<Incoming>(`/incoming/${collection}`),
  })
  if (!data || /^0\.0+$/.test(data.standing.left)) return null
  return <RefundDialog collection={data} path={`/collectionrequests/${request.id}/refund`} />
}
