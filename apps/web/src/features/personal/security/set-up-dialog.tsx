import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { oneTimeCode, TextDialog } from '../form-dialog.tsx'

interface SetUpDialogProps {
  /** Base32. */
  readonly secret: string
  /** `otpauth://…` */
  readonly uri: string
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** Shows the secret for the authenticator app, and asks for a code that proves that the app has it. */
export function SetUpDialog({ secret, uri, onCodes, onClose }: SetUpDialogProps) {
  const { t } = useTranslation('personal')
  return (
    <TextDialog
      title={t('secondFactor.setUpTitle')}
      submitLabel={t('secondFactor.confirm')}
      onClose={onClose}
      fields={{
        code: {
          label: t('secondFactor.code'),
          hint: t('secondFactor.codeHint'),
          missing: t('secondFactor.codeMissing'),
          input: { ...oneTimeCode, inputMode: 'numeric' },
        },
      }}
      fieldOf={{ second_factor_wrong: 'code' }}
      save={(body) => request(calls.secondFactor.confirm, { body })}
      onSaved={(response) => onCodes(response.recovery_codes)}
    >
      <p>{t('secondFactor.stepScan')}</p>
      <QrCode text={uri} label={t('secondFactor.picture')} />
      <div className="flex flex-col gap-1.5">
        <p className="text-muted text-xs">
          {t('secondFactor.stepKey')}{' '}
          <a href={uri} className="text-accent-text underline">
            {t('secondFactor.openApp')}
          </a>
        </p>
        <CodeBlock code={secret} label={t('secondFactor.copySecret')} />
      </div>
    </TextDialog>
  )
}

interface QrCodeProps {
  readonly text: string
  /** Description of the code, for people who cannot see it. */
  readonly label: string
}

/** Empty modules around it, without which cameras do not find it (ISO/IEC 18004). */
const quietZone = 4

/** A text for cameras. Black on white in both themes: not every camera reads the inverse. */
function QrCode({ text, label }: QrCodeProps) {
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
