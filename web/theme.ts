import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { t } from './texts/index.ts'

const green: MantineColorsTuple = [
  '#e8f6f0',
  '#d0ebdf',
  '#a2d8c1',
  '#70c4a0',
  '#49b385',
  '#31a974',
  '#1f9363',
  '#0f7a52',
  '#0b6645',
  '#055038',
]

export const theme = createTheme({
  colors: { green },
  primaryColor: 'green',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  components: {
    Modal: { styles: { title: { fontWeight: 650 } } },
    // A button with only an icon needs a name.
    CloseButton: { defaultProps: { 'aria-label': t('parts.close') } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('parts.show_password') } } },
  },
})

/** Replace colors of the components that have too little contrast (WCAG 2.2, 1.4.3). */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c757d',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-green-light-color': '#0b6645',
    '--mantine-color-green-light-hover': '#c5e6d8',
    '--mantine-color-red-light-color': '#a51d1d',
    '--mantine-color-yellow-light-color': '#744a00',
    '--mantine-color-orange-light-color': '#8a3800',
    '--mantine-color-blue-light-color': '#0f4f96',
    '--mantine-color-gray-light-color': '#3b4148',
    '--mantine-color-anchor': '#0b6645',
    '--app-canvas': '#f6f7f8',
    '--app-warning': '#a34200',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#9aa0a7',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-green-light-color': '#70c4a0',
    '--mantine-color-anchor': '#70c4a0',
    // Calm in the dark: the shades of the library are as loud as a fault.
    '--mantine-color-yellow-light': '#3a2f10',
    '--mantine-color-yellow-light-color': '#ffe066',
    '--mantine-color-orange-light': '#422a12',
    '--mantine-color-orange-light-color': '#ffc078',
    '--mantine-color-red-light': '#45191b',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--app-canvas': '#1a1b1e',
    '--app-warning': '#ffa94d',
  },
})
