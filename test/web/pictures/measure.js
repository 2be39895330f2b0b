/*
 * Run in the page, and return faults for readers, in sentences. They are sideways scrolling, broken words, texts that
 * are cut off or overlap, codes that stand for words, and incompletely shown states. If a dialog is open, it checks the
 * dialog alone.
 */
;(() => {
  /** Names and words of sentences are shorter; longer runs of letters are codes, which may be broken. */
  const MAX_WORD_LENGTH = 20
  /** A column that is narrower stacks the letters even of codes. */
  const MIN_WIDTH = 110
  const width = document.documentElement.clientWidth
  const root = document.querySelector('[role=dialog]') ?? document.body
  const faults = new Set()
  const styles = new Map()

  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  const say = (fault, text) => faults.add(`${fault}: ${text.trim().replace(/\s+/g, ' ').slice(0, 60)}`)
  const overlap = (a, b, c, d) => Math.min(b, d) - Math.max(a, c)

  /** Return true if an element is only for screen readers, or shown on demand. */
  const isForReaders = (element) => {
    const { width: wide, height } = element.getBoundingClientRect()
    return (wide <= 1 || height <= 1) && styleOf(element).overflow !== 'visible'
  }

  const ancestors = (element) => {
    const all = []
    for (let one = element; one && one !== document.documentElement; one = one.parentElement) all.push(one)
    return all
  }

  function findTexts() {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) {
      const node = walker.currentNode
      const parent = node.parentElement
      if (!/\S/.test(node.data) || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      if (parent.closest('style, script, option, .skip-link')) continue
      const above = ancestors(parent)
      if (above.some(isForReaders)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = [...range.getClientRects()].filter((line) => line.width > 1)
      const layer = above.find((one) => /fixed|sticky/.test(styleOf(one).position))
      // The navigation waits at the side of the window until it is opened.
      if (layer && layer.getBoundingClientRect().right <= 0) continue
      texts.push({ node, parent, above, lines, layer })
    }
    return texts
  }

  function checkCut({ node, above, lines }) {
    const scrolls = above.find(
      (one) => /auto|scroll/.test(styleOf(one).overflowX) && one.scrollWidth > one.clientWidth + 1,
    )
    for (const line of lines) {
      if (!scrolls && (line.right > width + 1 || line.left < -1)) say('lies outside of the window', node.data)
      for (const one of above) {
        const { overflowX, overflowY } = styleOf(one)
        if (/auto|scroll/.test(overflowX + overflowY)) break
        const box = one.getBoundingClientRect()
        const beside = line.right > box.right + 1.5 || line.left < box.left - 1.5
        if (/hidden|clip/.test(overflowX) && beside) say('is cut off', node.data)
        if (/hidden|clip/.test(overflowY) && line.bottom > box.bottom + 4) say('is cut off below', node.data)
      }
    }
  }

  function checkWords({ node, parent, above, lines }) {
    if (lines.length < 2) return
    const block = above.find((one) => styleOf(one).display !== 'inline') ?? parent
    const narrow = block.clientWidth < MIN_WIDTH
    const isCode = parent.closest('code, pre, .code-text, .break-anywhere') !== null
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const whole = node.data.slice(0, index).match(/\S*$/)[0] + node.data.slice(index).match(/^\S+/)[0]
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1 && (narrow || (!isCode && whole.length <= MAX_WORD_LENGTH)))
        say(`has a column of ${block.clientWidth} px, narrower than its word ${word}`, node.data)
    }
  }

  function checkOverlaps(texts) {
    // The box of a line is higher than its letters.
    const boxes = texts.flatMap(({ node, lines, layer }) =>
      lines.map(({ left, right, top, bottom }) => {
        const margin = (bottom - top) / 4
        return { node, layer, left, right, top: top + margin, bottom: bottom - margin }
      }),
    )
    boxes.sort((a, b) => a.top - b.top)
    boxes.forEach((box, index) => {
      for (let next = index + 1; next < boxes.length && boxes[next].top < box.bottom; next++) {
        const other = boxes[next]
        if (other.node === box.node || other.layer !== box.layer) continue
        const across = overlap(box.left, box.right, other.left, other.right)
        if (across > 3 && overlap(box.top, box.bottom, other.top, other.bottom) > 3)
          say('lies upon another text', `${box.node.data} / ${other.node.data}`)
      }
    })
  }

  function checkScroll() {
    if (document.documentElement.scrollWidth > width)
      faults.add(`The page is wider than the window by ${document.documentElement.scrollWidth - width} px`)
    for (const one of root.querySelectorAll('*')) {
      // Lines of programs wrap on a phone; a desk keeps them.
      if (one.tagName === 'PRE' && width >= 640) continue
      if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0 || isForReaders(one)) continue
      if (/auto|scroll/.test(styleOf(one).overflowX) && !/^(INPUT|TEXTAREA)$/.test(one.tagName))
        say(
          `scrolls sideways by ${one.scrollWidth - one.clientWidth} px`,
          one.getAttribute('aria-label') ?? one.textContent,
        )
    }
  }

  /** Buttons and badges of a card end where their column ends. */
  function checkCards() {
    for (const value of root.querySelectorAll('.row-cards dd')) {
      const { right } = value.getBoundingClientRect()
      for (const one of value.querySelectorAll('.mantine-Badge-root, button'))
        if (one.checkVisibility() && one.getBoundingClientRect().right > right + 1)
          say('is wider than its column', one.textContent)
    }
  }

  /** Find names that only programs know, such as `instructions_sent`, where no word stands for them. */
  function checkCodes({ node, parent }) {
    if (parent.closest('code, pre, .code-text')) return
    for (const [code] of node.data.matchAll(/(?<![\w@./-])[a-z]+(?:_[a-z]+)+(?![\w@/-])/g))
      say('is a code without words', code)
  }

  function checkStates() {
    for (const one of root.querySelectorAll('.mantine-Badge-root')) {
      const label = one.querySelector('.mantine-Badge-label') ?? one
      if (one.checkVisibility() && label.scrollWidth > label.clientWidth + 1)
        say('is a state that is cut off', one.textContent)
    }
    for (const card of root.querySelectorAll('.row-cards > li')) {
      const state = card.querySelector('[data-status]')
      if (state && !state.closest('.card-head')) say('is a card whose state does not come first', card.textContent)
    }
  }

  /** A filled button is the primary action of a page or dialog. */
  function checkPrimary() {
    const filled = [...root.querySelectorAll('.mantine-Button-root')].filter(
      (one) => /^(filled)?$/.test(one.dataset.variant ?? '') && one.checkVisibility({ visibilityProperty: true }),
    )
    if (filled.length > 1) say('has several primary actions', filled.map((one) => one.textContent).join(', '))
  }

  const texts = findTexts()
  for (const text of texts) {
    checkCut(text)
    checkWords(text)
    checkCodes(text)
  }
  checkOverlaps(texts)
  checkScroll()
  checkCards()
  checkStates()
  checkPrimary()
  return [...faults]
})()
