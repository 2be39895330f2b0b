/** A piece of HTML. Only `html` makes one, so that every text of others is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | false | null | undefined | readonly Piece[]

/** Write HTML. Texts are escaped, pieces of HTML are not, and false, null and undefined are left out. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(texts.reduce((written, text, index) => written + write(pieces[index - 1]) + text))
}

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(write).join('')
  return piece === false || piece === null || piece === undefined ? '' : escapeHtml(String(piece))
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
