import { framedAddress, OperatorFrame } from './operator-content.tsx'
import { OperatorText, type OperatorTextProps } from './operator-text.tsx'

export interface TextOrFrameProps extends OperatorTextProps {
  /** Names the frame for screen readers. */
  readonly title: string
  readonly frameClass: string
}

/** Shows a text of the operator, or their page elsewhere where the text is its address. */
export function TextOrFrame({ text, look = 'page', title, frameClass }: TextOrFrameProps) {
  const address = framedAddress(text)
  if (address === undefined) return <OperatorText text={text} look={look} />
  return <OperatorFrame address={address} title={title} className={frameClass} />
}
