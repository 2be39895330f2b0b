import { Button, Modal, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconFileUpload } from '@tabler/icons-react'
import { ApiError, api, type List } from '../../api.ts'
import { FileField, SheetField, TemplateLinks, useSheets } from '../../parts/files/file-field.tsx'
import { readBase64 } from '../../parts/files/save-file.ts'
import { FormButtons } from '../../parts/form-dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useGoOn, useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { BulkPaymentDetail } from '../../wire.ts'
import { useWalletChoices } from '../payments/wallet-choices.ts'

/** Button with the form for a file of payments. The file becomes a draft; no money moves. */
export function Upload() {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconFileUpload size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('bulk.upload.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('bulk.upload.title')} size="lg">
        <UploadForm close={close} />
      </Modal>
    </>
  )
}

function UploadForm({ close }: { close(): void }) {
  const goOn = useGoOn()
  const form = useForm({
    initialValues: { file: null as File | null, sheet: '', description: '', account: '', send_sms_message: false },
  })
  const { onSubmit, pending, error } = useSubmit(form, upload, (id) => goOn(`/bulk-payments/${id}`))
  const sheets = useSheets(error, form.values.file)
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TemplateLinks path="/bulk-payments">{t('bulk.upload.columns')}</TemplateLinks>
        <FileField
          value={form.values.file}
          error={form.errors.file as string | undefined}
          change={(file) => form.setValues({ file, sheet: '' })}
        />
        <SheetField sheets={sheets} value={form.values.sheet} change={(sheet) => form.setFieldValue('sheet', sheet)} />
        <WalletField input={form.getInputProps('account')} />
        <TextInput
          label={t('fields.description')}
          description={t('bulk.upload.description_about')}
          required
          {...form.getInputProps('description')}
        />
        <Switch label={t('payments.new.send_sms')} {...form.getInputProps('send_sms_message', { type: 'checkbox' })} />
        {sheets.length === 0 && <Problem error={error} />}
        <FormButtons submit={t('bulk.upload.submit')} disabled={!form.values.file} pending={pending} close={close} />
      </Stack>
    </form>
  )
}

interface UploadValues extends Record<string, unknown> {
  file: File | null
  sheet: string
  account: string
  description: string
  send_sms_message: boolean
}

/** Upload a file. @returns the id of its draft, also of an upload whose answer was lost */
async function upload({ file, account, sheet, ...values }: UploadValues, key: string): Promise<number> {
  const body = {
    ...values,
    file_name: file!.name,
    content: await readBase64(file!, t('bulk.upload.unreadable')),
    account: account || undefined,
    sheet: sheet || undefined,
  }
  try {
    const made = await api.postOnce<BulkPaymentDetail>('/bulk-payments', body, key)
    if (made) return made.id
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 413)) throw error
    throw new ApiError(413, t('bulk.upload.too_large'))
  }
  const { results } = await api.get<List<BulkPaymentDetail>>('/bulk-payments', { limit: 1, ordering: '-id' })
  return results[0]!.id
}

function WalletField({ input }: { input: { value?: string } }) {
  const wallets = useWalletChoices()
  return (
    <Select
      label={t('payments.new.from')}
      description={t('bulk.upload.wallet_about')}
      placeholder={t('payments.new.choose_wallet')}
      data={wallets}
      clearable
      {...input}
      value={input.value || null}
    />
  )
}
