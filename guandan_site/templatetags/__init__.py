"""What templates of all pages may use."""
