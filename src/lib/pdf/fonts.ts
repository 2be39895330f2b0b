import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

export type Weight = 'regular' | 'bold'

/** Scripts with a font of their own. `common` is Latin, Greek and Cyrillic, with digits and punctuation of all. */
export type Script = 'common' | 'arabic' | 'ethiopic'

const { resolve } = createRequire(import.meta.url)
const files: Readonly<Record<Script, Readonly<Record<Weight, string>>>> = {
  common: { regular: './fonts/NotoSans-Regular.ttf', bold: './fonts/NotoSans-Bold.ttf' },
  arabic: {
    regular: '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    bold: '@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf',
  },
  ethiopic: {
    regular: '@expo-google-fonts/noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf',
    bold: '@expo-google-fonts/noto-sans-ethiopic/700Bold/NotoSansEthiopic_700Bold.ttf',
  },
}

const opened = new Map<string, Font>()

/** A font of the PDFs, which each process reads once, when the first text needs it. */
export function pdfFont(script: Script, weight: Weight): Font {
  const file = files[script][weight]
  let font = opened.get(file)
  if (!font) {
    // None of the files is a collection of fonts.
    font = create(readFileSync(resolve(file))) as Font
    opened.set(file, font)
  }
  return font
}
