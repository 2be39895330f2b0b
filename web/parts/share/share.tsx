import { Anchor, Button, Group, Stack } from '@mantine/core'
import { IconBrandWhatsapp, IconMail, IconMessage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import { CopyField } from '../copy-field.tsx'

interface ShareProps {
  /** The address of the page for customers, and its label. */
  url: string
  label: string
  /** The QR code of the address. */
  code: string
  /** Line above the address in a message. */
  text: string
  /** File name of the QR code, without its ending. */
  file: string
  /** Phone number of the customer, if the page is for one. */
  phonenumber?: string
  /** More links. */
  children?: ReactNode
}

/** Share a page for customers: its address, its QR code, and messages that a person sends from the own device. */
export function Share({ url, label, code, text, file, phonenumber, children }: ShareProps) {
  return (
    <>
      <CopyField label={label} value={url} />
      <ShareButtons url={url} text={text} phonenumber={phonenumber} />
      <img src={code} alt={t('parts.share.qr')} width={240} height={240} className="qr-code" />
      <Stack gap={4} fz="sm">
        <Anchor href={url} target="_blank" rel="noreferrer" inherit>
          {t('parts.share.open')}
        </Anchor>
        <Anchor href={code} download={`${file}.svg`} inherit>
          {t('parts.share.download')}
        </Anchor>
        {children}
      </Stack>
    </>
  )
}

function ShareButtons({ url, text, phonenumber = '' }: Pick<ShareProps, 'url' | 'text' | 'phonenumber'>) {
  const message = encodeURIComponent(`${text}\n${url}`)
  const number = phonenumber.startsWith('+') ? phonenumber : ''
  return (
    <Group gap="xs" role="group" aria-label={t('parts.share.share')}>
      <ShareButton href={`sms:${number}?body=${message}`} icon={<IconMessage size={16} />}>
        {t('parts.share.sms')}
      </ShareButton>
      <ShareButton href={`mailto:?subject=${encodeURIComponent(text)}&body=${message}`} icon={<IconMail size={16} />}>
        {t('parts.share.email')}
      </ShareButton>
      <ShareButton href={`https://wa.me/${number.slice(1)}?text=${message}`} icon={<IconBrandWhatsapp size={16} />}>
        {t('parts.share.whatsapp')}
      </ShareButton>
    </Group>
  )
}

function ShareButton({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Button
      component="a"
      variant="default"
      size="xs"
      leftSection={icon}
      href={href}
      target={href.startsWith('https:') ? '_blank' : undefined}
      rel="noreferrer"
    >
      {children}
    </Button>
  )
}
