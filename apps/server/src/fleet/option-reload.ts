/** Reads options anew that another process has changed. */
export interface OptionReload {
  reload(keys: readonly string[]): Promise<void>
}
