import { Grid, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'

/** First step: its number, its purpose, and beside them what to do. */
export function Step(props: { number: number; title: string; about: ReactNode; children: ReactNode }) {
  const { number, title, about, children } = props
  return (
    <Grid component="section" aria-label={title} gap="sm">
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ThemeIcon size={26} radius="xl" variant="default" aria-hidden>
            {number}
          </ThemeIcon>
          <Stack gap={2} pt={2} miw={0}>
            <Text fw={600} fz="sm">
              {title}
            </Text>
            <Text fz="sm" c="dimmed" component="div">
              {about}
            </Text>
          </Stack>
        </Group>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 8 }}>{children}</Grid.Col>
    </Grid>
  )
}
