/**
 * Returns the module that a file belongs to, from its folders alone: a package, a room of the server, a folder or a feature of the
 * console, else the workspace or the folder at the top. What is moved belongs to where it lies.
 */
export function moduleOf(path: string): string {
  return (
    /^apps\/[^/]+\/src\/features\/[^/]+(?=\/)/.exec(path)?.[0] ??
    /^apps\/[^/]+\/src(?:\/[^/]+(?=\/))?/.exec(path)?.[0] ??
    /^(?:apps|packages)\/[^/]+(?=\/)/.exec(path)?.[0] ??
    path.slice(0, Math.max(path.indexOf('/'), 0))
  )
}
