import { Anchor, FileInput, Paper, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useState } from 'react'
import { t } from '../../texts/index.ts'

/** Says which columns a file has, and links to its empty templates. @param path where they are, such as `/bulk-payments` */
export function TemplateLinks({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Text fz="sm">
      {children}{' '}
      <Anchor href={`/console/api${path}/template.xlsx`} download underline="always" fz="sm">
        {t('bulk.upload.template_xlsx')}
      </Anchor>
      {' · '}
      <Anchor href={`/console/api${path}/template.csv`} download underline="always" fz="sm">
        {t('bulk.upload.template_csv')}
      </Anchor>
    </Text>
  )
}

/** The choice of a CSV or an Excel file, which may also be dropped. */
export function FileField(props: { value: File | null; error?: ReactNode; change(file: File | null): void }) {
  const { value, error, change } = props
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) change(file)
  }
  return (
    <Paper
      withBorder
      p="md"
      bg={over ? 'var(--mantine-color-default-hover)' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileInput
        label={t('bulk.file')}
        description={t('bulk.upload.file_about')}
        placeholder={t('bulk.upload.choose')}
        accept=".csv,.xlsx,text/csv"
        required
        clearable
        value={value}
        onChange={change}
        error={error}
      />
    </Paper>
  )
}
