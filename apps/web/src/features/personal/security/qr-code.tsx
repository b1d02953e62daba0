import { encode } from 'uqr'

export interface QrCodeProps {
  readonly text: string
  /** What it is, for people who cannot see it. */
  readonly label: string
}

/** Empty modules around it, without which cameras do not find it (ISO/IEC 18004). */
const quietZone = 4

/** A text for cameras. Black on white in both themes: not every camera reads the inverse. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: quietZone, ecc: 'M' })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded border bg-[#fff]"
    >
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}

/** One stroke for each run of dark modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => darkRuns(row).map(({ from, to }) => `M${from} ${y}H${to}V${y + 1}H${from}Z`))
    .join('')
}

function darkRuns(row: readonly boolean[]): readonly { readonly from: number; readonly to: number }[] {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []))
  return starts.map((from) => {
    const end = row.indexOf(false, from)
    return { from, to: end === -1 ? row.length : end }
  })
}
