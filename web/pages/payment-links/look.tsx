import { Button, Divider, FileInput, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { PageLook } from '../../wire.ts'

const path = '/payment-links/look'

/** Style of all links' pages, and the secret that signs their results. */
export function LookButton() {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={open}>
        {t('links.look.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('links.look.title')}>
        <LookDialog close={close} />
      </Modal>
    </>
  )
}

function LookDialog({ close }: { close(): void }) {
  const { data, error, refetch } = useQuery({ queryKey: [path], queryFn: () => api.get<PageLook>(path) })
  if (error) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return <LookForm look={data} close={close} />
}

function LookForm({ look, close }: { look: PageLook; close(): void }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { color: look.color, logo: null as File | null, keep: true } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    async ({ color, logo, keep }) =>
      api.put(path, { color, ...(logo ? { logo: await toDataUrl(logo) } : keep ? {} : { logo: null }) }),
    () => {
      notifications.show({ color: 'green', message: t('links.look.done') })
      client.invalidateQueries({ queryKey: [path] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('links.look.color')}
          description={t('links.look.color_about')}
          {...form.getInputProps('color')}
        />
        <FileInput
          label={t('links.look.logo')}
          description={t('links.look.logo_about')}
          placeholder={t('bulk.upload.choose')}
          accept="image/png,image/jpeg,image/webp"
          clearable
          {...form.getInputProps('logo')}
        />
        {look.logo && (
          <Group>
            <img src={`/console/api${path}/logo`} alt={t('links.look.logo_alt')} height={40} />
            <Switch label={t('links.look.keep_logo')} {...form.getInputProps('keep', { type: 'checkbox' })} />
          </Group>
        )}
        <Divider />
        <Secret />
        <Problem error={error} />
        <FormButtons submit={t('fields.save')} pending={pending} close={close} />
      </Stack>
    </form>
  )
}

/** The secret with which a shop checks that a result is ours. */
function Secret() {
  const show = useMutation({ mutationFn: () => api.post<{ secret: string }>('/payment-links/secret') })
  const rotate = useMutation({ mutationFn: () => api.post<{ secret: string }>('/payment-links/secret/rotate') })
  const secret = rotate.data?.secret ?? show.data?.secret
  return (
    <Stack gap="xs">
      <Text fz="sm">{t('links.secret.about')}</Text>
      {secret && <CopyField label={t('links.secret.label')} value={secret} />}
      <Problem error={show.error} />
      <Group>
        {!secret && (
          <Button variant="default" size="xs" loading={show.isPending} onClick={() => show.mutate()}>
            {t('links.secret.show')}
          </Button>
        )}
        <Confirm
          button={t('links.secret.rotate')}
          title={t('links.secret.rotate_title')}
          act={() => rotate.mutateAsync()}
        >
          {t('links.secret.rotate_text')}
        </Confirm>
      </Group>
    </Stack>
  )
}

function toDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(t('links.look.unreadable')))
    reader.readAsDataURL(file)
  })
}
