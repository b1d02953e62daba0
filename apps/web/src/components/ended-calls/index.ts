import { lazyComponent } from '../../lib/lazy-component.ts'

/** Loads when a sheet shows it: two features do, and no page needs it at once. */
export const CallsByFault = lazyComponent(() => import('./calls-by-fault.tsx'), 'CallsByFault')
