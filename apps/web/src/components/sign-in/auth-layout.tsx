import type { ReactNode } from 'react'
import { useLogo } from '../../lib/api/status.ts'
import { usePageTitle } from '../../lib/page-title.ts'

export interface AuthLayoutProps {
  /** Title of the tab. */
  readonly title: string
  readonly heading: string
  /** Between heading and form. */
  readonly notice?: ReactNode
  readonly children: ReactNode
  /** Ways to the other pages of this kind. */
  readonly links?: ReactNode
}

/** A page around one small form for people who are not logged in. */
export function AuthLayout({ title, heading, notice, children, links }: AuthLayoutProps): ReactNode {
  const logo = useLogo()
  usePageTitle(title)
  return (
    <div className="mx-auto flex w-full max-w-[360px] flex-1 flex-col justify-center px-4 py-10 sm:pb-[14dvh]">
      <img src={logo} alt="" className="mb-4 size-11 self-center rounded-lg object-contain" />
      <h1 className="mb-6 text-balance text-center font-semibold text-xl tracking-tight">{heading}</h1>
      {notice && <div className="mb-4">{notice}</div>}
      {children}
      {links && <nav className="mt-4 flex flex-wrap justify-center gap-x-5 text-sm">{links}</nav>}
    </div>
  )
}

/** Classes of a link under the form: a whole finger's height on a phone. */
export const authLink = 'inline-flex min-h-8 items-center text-accent-text hover:underline max-sm:min-h-11'
