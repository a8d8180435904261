// What the tested files need of the editor.

export const ProgressLocation = { Notification: 15 };

export const Uri = {
  parse: (text: string) => ({ path: decodeURIComponent(new URL(text).pathname) }),
};

/** What a test sees and does. */
export const user = { cancels: false, titles: [] as string[], errors: [] as string[] };

export const window = {
  withProgress: async (options: { title: string }, task: (progress: unknown, token: unknown) => Promise<void>) => {
    user.titles.push(options.title);
    await task({}, { get isCancellationRequested() { return user.cancels; } });
  },
  showErrorMessage: (message: string) => {
    user.errors.push(message);
    return Promise.resolve(undefined);
  },
};
