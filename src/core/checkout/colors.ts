import { getMessage } from '../../lib/messages/message.ts'
import { Invalid } from '../refusals.ts'

/** The contrast that WCAG 2.2 AA asks of text. */
const MIN_CONTRAST = 4.5

/** Reads the colour of a shop, such as `#0B6E4F`. White letters stand on it. @throws Invalid if they could not be read */
export function readColor(input: string): string {
  const color = input.trim().toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Invalid({ color: [getMessage('fields.colour')] })
  const contrast = contrastWithWhite(color)
  if (contrast < MIN_CONTRAST) {
    const figure = (Math.floor(contrast * 10) / 10).toFixed(1)
    throw new Invalid({
      color: [getMessage('links.contrast', { figure, min: MIN_CONTRAST })],
    })
  }
  return color
}

/** The contrast of white and a colour in the form `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => luminanceOf(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05)
}

function luminanceOf(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
