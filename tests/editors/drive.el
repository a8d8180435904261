;; Does in Emacs what a user does, step by step, and writes what is seen to a file, as JSON. The steps come in `$STEPS`.

(require 'cl-lib)
(require 'flymake)
(require 'json)

(defun wait-for (what is-done)
  (let ((end (+ (float-time) 30)) value)
    (while (not (setq value (funcall is-done)))
      (when (> (float-time) end) (error "no %s" what))
      (accept-process-output nil 0.01))
    value))

(defun place-of (point)
  "The line and the column, in characters."
  (save-excursion
    (goto-char point)
    (vector (1- (line-number-at-pos)) (- point (line-beginning-position)))))

(defun findings ()
  (flymake-start)
  (cl-loop for it in (flymake-diagnostics)
           for sent = (alist-get 'eglot-lsp-diag (flymake-diagnostic-data it))
           collect (vconcat (place-of (flymake-diagnostic-beg it))
                            (place-of (flymake-diagnostic-end it))
                            (vector (plist-get sent :code) (plist-get sent :severity) (plist-get sent :message)))))

(defun go-to (wanted inside)
  (goto-char (point-min))
  (search-forward wanted)
  (goto-char (+ (match-beginning 0) inside)))

(defun see (step)
  (let-alist step
    (pcase .action
      ("findings" (vconcat (wait-for "findings" #'findings)))
      ("type"
       (let ((before (wait-for "findings" #'findings)))
         (go-to .over 0)
         (replace-match .text t t)
         (eglot--signal-textDocument/didChange)
         (let ((after (wait-for "other findings" (lambda () (let ((now (findings))) (unless (equal now before) now))))))
           (save-buffer)
           (vconcat after))))
      ("hover"
       (let (shown)
         (go-to .at .inside)
         (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
         (substring-no-properties (wait-for "hover" (lambda () shown)))))
      ("rename"
       (go-to .at .inside)
       ;; It asks before it edits files that are not open.
       (cl-letf (((symbol-function 'y-or-n-p) #'always))
         (eglot-rename .to))
       (save-some-buffers t)
       t))))

(let* ((steps (json-parse-string (getenv "STEPS") :object-type 'alist))
       (seen
        (condition-case reason
            (progn
              (find-file (getenv "DOCUMENT"))
              ;; A session without a screen has no commands, after which eglot connects.
              (run-hooks 'post-command-hook)
              (wait-for "server" #'eglot-current-server)
              (vconcat (mapcar #'see steps)))
          (error `((error . ,(error-message-string reason))))))
       (coding-system-for-write 'utf-8))
  (write-region (json-serialize seen) nil (getenv "SEEN")))
