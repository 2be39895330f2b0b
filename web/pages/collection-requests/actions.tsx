import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Comment, RefundDialog } from '../../parts/refund-dialog.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest, Incoming, PaymentLink, RequestAction } from '../../wire.ts'

const started = ['processing_started', 'instructions_sent']

/** Actions on an open or paid request. The service explains why one is not possible now. */
export function RequestActions({ request }: { request: CollectionRequest }) {
  const { may } = useSession()
  const collects = may('initiate_collections')
  return (
    <>
      {collects && started.includes(request.status) && <Remind request={request} />}
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
      button={t('requests.remind.button')}
      title={t('requests.remind.title')}
      submit={t('requests.remind.submit')}
      look={{ variant: 'default' }}
      initial={initial}
      send={(values, key) => api.postOnce<RequestAction>(`/collectionrequests/${request.id}/remind`, values, key)}
      done={(action) => t(action?.prompt ? 'requests.remind.done_prompt' : 'requests.remind.done')}
      fields={(form) => (
        <>
          <Text fz="sm">{t('requests.remind.text', { phonenumber: request.phonenumber })}</Text>
          <Comment {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

/** Make a new request with the same details, once. */
export function TryAgain({ request }: { request: CollectionRequest }) {
  return (
    <FormDialog
      button={t('requests.retry.button')}
      title={t('requests.retry.title')}
      submit={t('requests.retry.button')}
      initial={initial}
      send={(values, key) => api.postOnce<CollectionRequest>(`/collectionrequests/${request.id}/retry`, values, key)}
      done={(made) =>
        made
          ? { message: t('requests.retry.done', { id: made.id }), link: `/collectionrequests/${made.id}` }
          : t('requests.retry.done_already')
      }
      fields={(form) => (
        <>
          <Text fz="sm">{t('requests.retry.text', { phonenumber: request.phonenumber })}</Text>
          <Comment {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

/** Send the customer a link by SMS, once. */
export function SendLink({ request }: { request: CollectionRequest }) {
  return (
    <FormDialog
      button={t('requests.link.button')}
      title={t('requests.link.button')}
      submit={t('requests.link.submit')}
      look={{ variant: 'default' }}
      initial={initial}
      send={(values, key) => api.postOnce<PaymentLink>(`/collectionrequests/${request.id}/paymentlink`, values, key)}
      done={(made) =>
        made
          ? { message: t('requests.link.done', { id: made.id }), link: `/payment-links/${made.id}` }
          : t('requests.link.done_already')
      }
      fields={(form) => (
        <>
          <Text fz="sm">{t('requests.link.text', { phonenumber: request.phonenumber })}</Text>
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
